"""The commands of `gpulab`, one module each: arguments in, text out, an exit code back."""
