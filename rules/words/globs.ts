/** Patterns for names, as in a shell: * stands for any text, ? for one character. */

export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

/** A part between two stars takes its first place, and no other is tried: patterns with many stars would take hours. */
export const matchesGlob = (pattern: string, name: string): boolean => {
  const [first = '', ...others] = pattern.split('*').map(asExpression);
  const last = others.pop();
  const between = others.map((part, at) => `(?=(.*?${part}))\\${at + 1}`);
  return new RegExp(`^${first}${between.join('')}${last === undefined ? '' : `.*${last}`}$`, 'u').test(name);
};

const asExpression = (part: string): string =>
  part.replaceAll(/[\\^$.|+()[\]{}/]/gu, String.raw`\$&`).replaceAll('?', '.');
