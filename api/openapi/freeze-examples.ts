/** The examples of freezes in the OpenAPI document. */
const range = { reason: 'Nobody is on call', from: '2026-12-20T00:00:00Z', until: '2027-01-05T00:00:00Z' } as const;

const freeze = {
  name: 'christmas',
  reason: range.reason,
  from: '2026-12-20T00:00:00.000Z',
  until: '2027-01-05T00:00:00.000Z',
  times: null,
  active: false,
  begins_at: '2026-12-20T00:00:00.000Z',
  ends_at: '2027-01-05T00:00:00.000Z',
  created_at: '2026-11-25T08:00:00.000Z',
  updated_at: null,
} as const;

export const freezeExamples = {
  WriteFreeze: range,
  Freeze: freeze,
  FreezeList: { freezes: [freeze] },
} as const;
