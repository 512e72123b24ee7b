"""How fast the kernels are, beside other people's programs in the same run."""
