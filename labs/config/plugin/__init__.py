"""The NVIDIA device plugin's config and flags: does it load, and what does the plugin run with?"""
