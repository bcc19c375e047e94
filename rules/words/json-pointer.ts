/** A key as a part of a JSON pointer (RFC 6901). */
export const inPointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
