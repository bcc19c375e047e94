/** The endpoints of freezes: an addition to the interface. */
import { FreezeListSchema, FreezeSchema, WriteFreezeSchema } from '../schemas/freeze-schemas';
import { body, type Operation } from './documented-endpoint';

const ofFreezes = { tag: 'Freezes', access: 'admin' } as const;
const path = '/v1/freezes/{name}';

export const freezeOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/freezes',
    id: 'listFreezes',
    summary: 'List the freezes: named times in which no session begins anything. An addition',
    ...ofFreezes,
    response: body('FreezeList', FreezeListSchema),
    errors: [500],
  },
  {
    method: 'get',
    path,
    id: 'getFreeze',
    summary: 'Read a freeze. An addition',
    ...ofFreezes,
    response: body('Freeze', FreezeSchema),
    errors: [400, 404, 500],
  },
  {
    method: 'put',
    path,
    id: 'setFreeze',
    summary:
      'Store a freeze, or replace it. It holds for every session from the answer on, at work or not. An addition',
    ...ofFreezes,
    request: body('WriteFreeze', WriteFreezeSchema),
    response: body('Freeze', FreezeSchema),
    errors: [400, 422, 500],
  },
  {
    method: 'delete',
    path,
    id: 'deleteFreeze',
    summary: 'Delete a freeze. Sessions go on at once. An addition',
    ...ofFreezes,
    errors: [400, 404, 500],
  },
];
