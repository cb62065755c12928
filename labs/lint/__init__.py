"""What is wrong with files although they load: rules, findings, fixes; also across files that are given together."""
