"""Work of Nova that has no effect here, and that is therefore left out."""
import fixtures
from nova.scheduler.client import report
from oslo_versionedobjects import fixture as objects_fixture


def leave_out_work_without_effect():
    """Before Nova's fixtures are set up."""
    # After each change of a server its host asks placement for the allocations of each of its servers, one by one.
    # It needs them only where a driver reshapes its resources, or where PCI devices are in placement.
    report.SchedulerReportClient.get_allocations_for_provider_tree = lambda self, context, nodename: {}
    # It puts the fields of each object in order, for tests that compare texts.
    objects_fixture.StableObjectJsonFixture.setUp = fixtures.Fixture.setUp
