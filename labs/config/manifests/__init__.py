"""What files hold: their documents, what each is, and typed views of those that matter for GPUs."""
