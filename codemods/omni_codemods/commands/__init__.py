"""LibCST codemod commands, one a module: ``python -m libcst.tool`` lists and runs them."""
