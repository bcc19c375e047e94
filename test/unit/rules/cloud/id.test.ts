import { dashedUuid, idOf, isSameId, isUuid, writtenAs } from '../../../../rules/cloud/id';

const dashed = '39494a5d-9f42-4b3b-b7d9-1d1bd2a1a1b0';
const plain = '39494a5d9f424b3bb7d91d1bd2a1a1b0';
const forms = [dashed, plain, dashed.toUpperCase(), plain.toUpperCase()];

describe('an ID', () => {
  it.each(forms)('is kept as it is written: %s', (text) => {
    expect(idOf(text).text).toBe(text);
  });

  it.each(forms)('is the same in another form: %s', (text) => {
    expect(forms.every((other) => isSameId(idOf(text), idOf(other)))).toBe(true);
  });

  it.each(forms)('has one form with dashes: %s', (text) => {
    expect(dashedUuid(idOf(text).key)).toBe(dashed);
  });

  it('differs from another one', () => {
    expect(isSameId(idOf(dashed), idOf(dashed.replace('3', '4')))).toBe(false);
  });

  it.each([
    ...forms.map((text) => ({ text, fits: true })),
    { text: '39494a5d9f42-4b3b-b7d9-1d1bd2a1a1b0', fits: false },
    { text: plain.slice(1), fits: false },
    { text: `${plain}${plain}`, fits: false },
    { text: 'web', fits: false },
  ])('may be written $text: $fits', ({ text, fits }) => {
    expect(isUuid(text)).toBe(fits);
  });

  it.each([
    { listed: [plain], given: dashed, written: plain },
    { listed: [dashed, plain], given: plain.toUpperCase(), written: dashed },
    { listed: ['web'], given: dashed, written: dashed },
  ])('that is listed as $listed is written $written where it was $given', ({ listed, given, written }) => {
    expect(writtenAs(listed)(given)).toBe(written);
  });
});
