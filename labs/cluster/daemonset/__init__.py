"""The DaemonSet controller: its spec, its revisions, one sync, and the status it writes."""
