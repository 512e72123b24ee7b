"""How fast the kernels are, compared with other people's programs in the same run."""
