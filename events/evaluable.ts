/**
 * Telemetry services turn the lists and dictionaries of a payload into text, and their clients evaluate this text as
 * Python or as YAML, which write true, false and null differently. So the payload gets values that both read alike and
 * that mean the same: 1, 0 and ''.
 */

const plainValue = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value ?? '';
};

export const evaluable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(evaluable);
  if (typeof value !== 'object' || value === null) return plainValue(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, evaluable(inner)]));
};
