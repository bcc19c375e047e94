/** A downloaded plug-in's name in a request: it becomes part of a file's name, and is never a path. */
export const isPluginName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);
