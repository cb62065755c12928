"""The world of a rollout: people act, kubelets follow, and the controller syncs once a second."""
