"""What the changes between two revisions of the upstreams mean for the local copies.

A comparison a module; :func:`omni_codemods.impact.run.find_impact` runs them all. Text in, values
out: nothing is written, and nothing of the upstreams is imported.
"""
