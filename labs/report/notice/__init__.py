"""The notice to users: what a request for a GPU means from a change on."""
