"""Work of Nova that has no effect here, and that is therefore left out."""
import functools

import fixtures
import jsonschema
from nova.scheduler.client import report
from oslo_versionedobjects import fixture as objects_fixture
from sqlalchemy import orm


def leave_out_work_without_effect():
    """Before Nova's fixtures are set up."""
    # After each change of a server its host asks placement for the allocations of each of its servers, one by one.
    # It needs them only where a driver reshapes its resources, or where PCI devices are in placement.
    report.SchedulerReportClient.get_allocations_for_provider_tree = lambda self, context, nodename: {}
    # It puts the fields of each object in order, for tests that compare texts.
    objects_fixture.StableObjectJsonFixture.setUp = fixtures.Fixture.setUp
    # Nova makes a class of validators for each request that it checks; they differ in the names of what they check.
    jsonschema.validators.extend = _make_once(jsonschema.validators.extend)
    # All schemas are constants of Nova and placement, which checks them anew for each request.
    jsonschema.Draft202012Validator.check_schema = classmethod(lambda cls, schema, **options: None)
    # A limit has the statement of a server with its parts made anew, around one without; it finds one row by its ID.
    orm.Query.first = lambda query: query._iter().first()


def _make_once(extend):
    made = {}

    @functools.wraps(extend)
    def extend_once(validator, validators=(), **options):
        key = (validator, frozenset(validators), frozenset(options.items()))
        if key not in made:
            made[key] = extend(validator, validators, **options)
        return made[key]

    return extend_once
