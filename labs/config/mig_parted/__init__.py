"""mig-parted's config: does it load, and which MIG devices does it want on which cards?"""
