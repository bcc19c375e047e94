/** The environment of a program that this process starts. It holds settings of others, which nothing here reads. */

/** This process's own environment with these variables beside it, or in place of those it has. */
export const childEnvironment = (variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...variables,
});
