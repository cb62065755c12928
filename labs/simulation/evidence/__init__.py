"""How far the simulator is off: published figures predicted, and jobs estimated from measurements."""
