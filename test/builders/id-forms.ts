/** The forms of an ID that are the same ID as the one with dashes. */
export const idForms = {
  'as Keystone writes it': (id: string): string => id.replaceAll('-', ''),
  'in capitals': (id: string): string => id.toUpperCase(),
  'without dashes, in capitals': (id: string): string => id.replaceAll('-', '').toUpperCase(),
} as const;

export const idFormNames = Object.keys(idForms) as (keyof typeof idForms)[];
