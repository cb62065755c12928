"""The picture of time: who ran when, and how busy the cards were."""
