/** Who can put an obstacle out of the way. */
export const owners = ['project', 'operator', 'admin', 'service'] as const;
export type Owner = (typeof owners)[number];

/** The owner, as the page names it to an admin; follows "up to". */
export const ownerInWords: Readonly<Record<Owner, string>> = {
  project: 'the project',
  operator: 'the operator',
  admin: 'you',
  service: 'nobody: it ends by itself',
};
