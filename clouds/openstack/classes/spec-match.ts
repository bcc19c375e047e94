/** How a flavor's extra spec asks for a value of an aggregate (nova/scheduler/filters/extra_specs_ops.py). */

const compare: Readonly<Record<string, (value: string, words: readonly string[]) => boolean>> = {
  '=': (value, [word]) => Number(value) >= Number(word),
  '==': (value, [word]) => Number(value) === Number(word),
  '!=': (value, [word]) => Number(value) !== Number(word),
  '>=': (value, [word]) => Number(value) >= Number(word),
  '<=': (value, [word]) => Number(value) <= Number(word),
  's==': (value, [word]) => value === word,
  's!=': (value, [word]) => value !== word,
  's<': (value, [word = '']) => value < word,
  's<=': (value, [word = '']) => value <= word,
  's>': (value, [word = '']) => value > word,
  's>=': (value, [word = '']) => value >= word,
  '<in>': (value, [word = '']) => value.includes(word),
  '<all-in>': (value, words) => words.every((word) => value.includes(word)),
  '<or>': (value, words) => words.filter((_, index) => index % 2 === 0).includes(value),
};

export const specMatches = (value: string, wanted: string): boolean => {
  const [operator = '', ...words] = wanted.split(/\s+/).filter((word) => word !== '');
  const holds = Object.hasOwn(compare, operator) ? compare[operator] : undefined;
  if (holds === undefined) return value === wanted;
  return words.length > 0 && holds(value, words);
};
