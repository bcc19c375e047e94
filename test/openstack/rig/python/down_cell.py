"""A cell whose database does not answer, as the API of Nova sees it: each query of the cell fails."""
from nova import context
from nova import objects
from oslo_db import exception

_gather = context.scatter_gather_cells


def switch(is_down):
    context.scatter_gather_cells = _gather_without if is_down else _gather


def _gather_without(ctxt, cell_mappings, timeout, fn, *args, **kwargs):
    if fn.__name__ == 'query_wrapper':  # of lists: turns a failure into a record
        args = (_unless_down(args[0]), *args[1:])
    else:
        fn = _unless_down(fn)
    return _gather(ctxt, cell_mappings, timeout, fn, *args, **kwargs)


def _unless_down(query):
    def answer(ctxt, *args, **kwargs):
        if ctxt.cell_uuid != objects.CellMapping.CELL0_UUID:
            raise exception.DBConnectionError('the database of the cell is away')
        return query(ctxt, *args, **kwargs)

    return answer
