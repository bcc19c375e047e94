/** The faults of a request that are about a field, or about some fields. */
export interface FieldFault {
  /** A JSON pointer into the request. */
  readonly pointer: string;
  readonly message: string;
}

const isWithin = (pointer: string, at: string): boolean => pointer === at || pointer.startsWith(`${at}/`);

/** The messages about this field, and about those within it. */
export const messagesAt = (faults: readonly FieldFault[], at: string): readonly string[] => [
  ...new Set(faults.filter(({ pointer }) => isWithin(pointer, at)).map(({ message }) => message)),
];

export const faultsWithin = (faults: readonly FieldFault[], fields: readonly string[]): readonly FieldFault[] =>
  faults.filter(({ pointer }) => fields.some((at) => isWithin(pointer, at)));
