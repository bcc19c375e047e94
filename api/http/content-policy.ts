/** Lets a page of this service load and run its own files in a browser, and nothing else that is not named here. */

type Directive = 'img-src' | 'connect-src';

/** @param more in place of the page's own files */
export const policyFor = (more: Partial<Record<Directive, readonly string[]>> = {}): string => {
  const sources = (directive: Directive): string => `${directive} ${(more[directive] ?? ["'self'"]).join(' ')}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    sources('img-src'),
    sources('connect-src'),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};
