import { evaluatePython, pythonText } from '../../field-client/python-text';

describe('text as Python writes and reads it', () => {
  it.each([
    { what: 'a list', value: ['MIGRATE', 'OWN_ACTION'], text: "['MIGRATE', 'OWN_ACTION']" },
    { what: 'a dictionary', value: { a: 1, b: [0.5, -2] }, text: "{'a': 1, 'b': [0.5, -2]}" },
    {
      what: 'text within',
      value: ["it's", 'say "no"', 'a\\b', 'two\nlines'],
      text: `["it's", 'say "no"', 'a\\\\b', 'two\\nlines']`,
    },
    { what: 'nothing', value: [[], {}, ''], text: "[[], {}, '']" },
    { what: 'constants', value: [true, false, null], text: '[True, False, None]' },
  ])('comes back as it was: $what', ({ value, text }) => {
    expect(pythonText(value)).toBe(text);
    expect(evaluatePython(text)).toEqual(value);
  });

  it('leaves plain text without quotes', () => {
    expect(pythonText('MAINTENANCE')).toBe('MAINTENANCE');
  });

  it.each([
    { text: '{"a": true}', error: "name 'true' is not defined" },
    { text: '[null]', error: "name 'null' is not defined" },
    { text: "{'a': 'cu", error: 'invalid syntax' },
    { text: "{'a': 1,", error: 'unexpected end' },
    { text: "{'a'}", error: 'no value for a' },
    { text: '[1 2]', error: 'unexpected 2' },
    { text: '[1] 2', error: 'unexpected 2' },
  ])('is an error where it is no literal: $text', ({ text, error }) => {
    expect(() => evaluatePython(text)).toThrow(error);
  });
});
