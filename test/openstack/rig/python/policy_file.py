"""The policy files of Nova and placement, with the rules that a test gives a role."""
import copy
import json
import os
import tempfile

import nova.conf
import nova.policy
import placement.policy
from nova import policies
from placement import policies as placement_policies

CONF = nova.conf.CONF


def write(placement_conf, role=None, rules=()):
    """Files as an operator writes them: the role has these rules, and what else there is is for admins only."""
    path = os.path.join(tempfile.mkdtemp(), 'policy.yaml')
    _write(path, _given(policies, ('os_compute_api:', 'context_is_admin'), role, rules))
    CONF.set_override('policy_file', path, group='oslo_policy')
    nova.policy.reset()  # the next request reads it
    nova.policy.init(suppress_deprecation_warnings=True)
    _write(placement_conf.oslo_policy.policy_file, _given(placement_policies, ('placement:',), role, rules))
    # It would look for changes itself, and while one request reads the file others would go by the old one.
    placement.policy._ENFORCER.load_rules(force_reload=True)


def let_placement_read_one(conf):
    """The fixtures give it no file that is there."""
    path = os.path.join(tempfile.mkdtemp(), 'policy.yaml')
    _write(path, {})
    conf.set_override('policy_file', path, group='oslo_policy')
    placement.policy.reset()
    # oslo.policy changes the rules that it is given
    rules = copy.deepcopy(placement_policies.list_rules())
    placement.policy.init(conf, suppress_deprecation_warnings=True, rules=rules)


def _given(known, prefixes, role, rules):
    if not role:
        return {}
    names = [rule.name for rule in known.list_rules() if not rule.deprecated_for_removal]
    for_all = f'role:admin or role:{role}'
    return {name: for_all if name in rules else 'role:admin' for name in names if name.startswith(prefixes)}


def _write(path, rules):
    with open(path, 'w') as file:
        json.dump(rules, file)
