"""What the files mean together: who deploys the plugin, what nodes offer, what Pods ask for."""
