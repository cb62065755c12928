"""What Kubernetes makes of a setting: advertised resources, scheduling, allocation, admission."""
