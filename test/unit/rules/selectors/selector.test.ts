/** Selectors of hosts: their grammar, and which hosts they select. */
import fc from 'fast-check';
import type { HostLabels } from '../../../../rules/selectors/labels';
import { wantedHosts } from '../../../../rules/selectors/select-hosts';
import { type LabelRequirement, parseSelector, type Selector, selects } from '../../../../rules/selectors/selector';

const selectorOf = (text: string): Selector => {
  const parsed = parseSelector(text);
  if (parsed.kind === 'fault') throw new Error(parsed.message);
  return parsed.selector;
};

describe('the grammar', () => {
  it.each<{ text: string; selector: Selector }>([
    { text: 'zone=a', selector: [{ kind: 'in', key: 'zone', values: ['a'] }] },
    { text: 'zone == a', selector: [{ kind: 'in', key: 'zone', values: ['a'] }] },
    { text: 'zone!=a', selector: [{ kind: 'notIn', key: 'zone', values: ['a'] }] },
    { text: 'zone=', selector: [{ kind: 'in', key: 'zone', values: [''] }] },
    { text: 'rack in (r1,r2)', selector: [{ kind: 'in', key: 'rack', values: ['r1', 'r2'] }] },
    { text: ' rack notin( r1 , r2 ) ', selector: [{ kind: 'notIn', key: 'rack', values: ['r1', 'r2'] }] },
    { text: 'gpu', selector: [{ kind: 'exists', key: 'gpu' }] },
    { text: '! gpu', selector: [{ kind: 'absent', key: 'gpu' }] },
    {
      text: 'zone=a,rack in (r1,r2),!node-role.kubernetes.io/control-plane',
      selector: [
        { kind: 'in', key: 'zone', values: ['a'] },
        { kind: 'in', key: 'rack', values: ['r1', 'r2'] },
        { kind: 'absent', key: 'node-role.kubernetes.io/control-plane' },
      ],
    },
    { text: 'in in (in)', selector: [{ kind: 'in', key: 'in', values: ['in'] }] },
    { text: 'hw:cpu="a, (b)"', selector: [{ kind: 'in', key: 'hw:cpu', values: ['a, (b)'] }] },
    { text: '"my key" in ("x y",z)', selector: [{ kind: 'in', key: 'my key', values: ['x y', 'z'] }] },
  ])('reads $text', ({ text, selector }) => {
    expect(parseSelector(text)).toEqual({ kind: 'selector', selector });
  });

  it.each([
    { text: '', says: 'ends where a part has to follow' },
    { text: 'zone=a,', says: 'ends where a part has to follow' },
    { text: 'zone=a,,rack', says: 'from ",rack" on' },
    { text: 'zone=a rack=b', says: 'from "zone=a rack=b" on' },
    { text: 'zone=a,rack in', says: 'from "rack in" on' },
    { text: 'rack in ()', says: 'from "rack in ()" on' },
    { text: 'rack in (r1', says: 'from "rack in (r1" on' },
    { text: 'rack in (r1 r2)', says: 'from "rack in (r1 r2)" on' },
    { text: 'rackin (r1)', says: 'from "rackin (r1)" on' },
    { text: '=a', says: 'from "=a" on' },
    { text: '!zone=a', says: 'from "!zone=a" on' },
    { text: 'zone="a', says: 'from "zone="a" on' },
  ])('refuses “$text”', ({ text, says }) => {
    expect(parseSelector(text)).toEqual({ kind: 'fault', message: expect.stringContaining(says) as string });
  });

  it('reads what it has written, with any spaces', () => {
    fc.assert(
      fc.property(anySelector, anySpace, (selector, space) => {
        expect(selectorOf(written(selector, space))).toEqual(selector);
      }),
    );
  });

  it('answers any text, and soon', () => {
    const pieces = fc.constantFrom('zone', '=', '!', '!=', ' in ', '(', ')', ',', '"', ' ', 'a');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 400 }), (some) => {
        expect(['selector', 'fault']).toContain(parseSelector(some.join('')).kind);
      }),
    );
  });
});

describe('a selector', () => {
  const host: HostLabels = { zone: 'a', rack: 'r1', aggregate: 'fast,gold', role: '' };
  it.each([
    { text: 'zone=a', is: true },
    { text: 'zone=b', is: false },
    { text: 'zone!=b', is: true },
    { text: 'colour!=red', is: true },
    { text: 'colour notin (red,blue)', is: true },
    { text: 'colour=red', is: false },
    { text: 'colour=', is: false },
    { text: 'role=', is: true },
    { text: 'role', is: true },
    { text: 'colour', is: false },
    { text: '!colour', is: true },
    { text: '!rack', is: false },
    { text: 'zone=a,rack=r2', is: false },
    { text: 'aggregate=gold', is: true },
    { text: 'aggregate=gold,aggregate=fast', is: true },
    { text: 'aggregate in (slow,fast)', is: true },
    { text: 'aggregate!=gold', is: false },
    { text: 'aggregate="fast,gold"', is: true },
    { text: 'toString', is: false },
  ])('$text: $is', ({ text, is }) => {
    expect(selects(selectorOf(text), host)).toBe(is);
  });

  it('selects a host by each part or its opposite, and never by both', () => {
    const opposite = { in: 'notIn', notIn: 'in', exists: 'absent', absent: 'exists' } as const;
    fc.assert(
      fc.property(anyRequirement, anyLabels, (one, labels) => {
        const other = { ...one, kind: opposite[one.kind] } as LabelRequirement;
        expect(selects([one], labels)).toBe(!selects([other], labels));
        expect(selects([one, other], labels)).toBe(false);
      }),
    );
  });
});

describe('the hosts that are wanted', () => {
  const hosts = [
    { name: 'a1', labels: { zone: 'a' } },
    { name: 'a2', labels: { zone: 'a' } },
    { name: 'b1', labels: { zone: 'b' } },
    { name: 'none' },
  ];
  it.each([
    { situation: 'nothing is said', wanted: {}, are: ['a1', 'a2', 'b1', 'none'] },
    { situation: 'there is an exception alone', wanted: { except: ['b1'] }, are: ['a1', 'a2', 'none'] },
    { situation: 'one is named', wanted: { named: ['b1'] }, are: ['b1'] },
    { situation: 'a selector is given', wanted: { selector: selectorOf('zone=a') }, are: ['a1', 'a2'] },
    { situation: 'both are', wanted: { named: ['b1', 'a2'], selector: selectorOf('zone=a') }, are: ['b1', 'a2', 'a1'] },
    {
      situation: 'a selected one is left out',
      wanted: { selector: selectorOf('zone'), except: ['a1'] },
      are: ['a2', 'b1'],
    },
    { situation: 'the named one is left out', wanted: { named: ['b1'], except: ['b1'] }, are: [] },
    { situation: 'none has the label', wanted: { selector: selectorOf('zone=c') }, are: [] },
  ])('are $are when $situation', ({ wanted, are }) => {
    expect(wantedHosts(hosts, { named: [], except: [], ...wanted })).toEqual(are);
  });
});

const anySpace = fc.constantFrom('', ' ', '  \t');
const anyText = fc.string({ maxLength: 6 }).map((text) => text.replaceAll('"', '').trim());
const anyKey = fc.oneof(
  fc.constantFrom('zone', 'in', 'kubernetes.io/os', 'a b', ','),
  anyText.filter((text) => text !== ''),
);
const anyValues = fc.array(fc.oneof(fc.constantFrom('a', 'b', '', 'x y'), anyText), { minLength: 1, maxLength: 3 });
const anyRequirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({ kind: fc.constantFrom('in' as const, 'notIn' as const), key: anyKey, values: anyValues }),
  fc.record({ kind: fc.constantFrom('exists' as const, 'absent' as const), key: anyKey }),
);
const anySelector = fc.array(anyRequirement, { minLength: 1, maxLength: 4 });
const anyLabels = fc.dictionary(anyKey, fc.constantFrom('a', 'b', 'a,b', '', 'x y'));

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `"${text}"`);

const written = (selector: Selector, space: string): string => {
  const forms = {
    in: (key: string, values: string) => `${key} in${space}(${values})`,
    notIn: (key: string, values: string) => `${key} notin${space}(${values})`,
    exists: (key: string) => key,
    absent: (key: string) => `!${space}${key}`,
  };
  return selector
    .map((one) => {
      const values = 'values' in one ? one.values.map(quoted).join(`${space},${space}`) : '';
      return `${space}${forms[one.kind](quoted(one.key), values)}${space}`;
    })
    .join(',');
};
