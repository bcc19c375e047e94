"""Nova's policy file, with the rules that a test gives a role."""
import json
import os
import tempfile

import nova.conf
import nova.policy
from nova import policies

CONF = nova.conf.CONF


def write(role=None, rules=()):
    """A file as an operator writes it: the role has these rules, and what else Nova has is for admins only."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'policy.yaml')
    with open(path, 'w') as file:
        json.dump(_rules(role, rules) if role else {}, file)
    CONF.set_override('policy_file', path, group='oslo_policy')
    nova.policy.reset()  # the next request reads it
    nova.policy.init(suppress_deprecation_warnings=True)


def _rules(role, rules):
    known = [rule.name for rule in policies.list_rules() if not rule.deprecated_for_removal]
    for_all = f'role:admin or role:{role}'
    return {name: for_all if name in rules else 'role:admin'
            for name in known if name.startswith('os_compute_api:') or name == 'context_is_admin'}
