/** What a server says of the image that it was made from. Nova tells the image's properties since 2.98. */
import type { NovaServer } from '../nova/answers';

type Properties = Readonly<Record<string, string>>;

/** Its root disk is a volume then, and takes no disk of the host. */
export const isBootedFromVolume = ({ image }: NovaServer): boolean => image === '';

/** Undefined: Nova does not tell them, or there is no image. */
export const imagePropertiesOf = ({ image }: NovaServer): Properties | undefined => {
  const { properties } = (image ?? {}) as { readonly properties?: Record<string, unknown> };
  if (properties === undefined) return undefined;
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)]));
};

export const imageIdOf = ({ image }: NovaServer): string | undefined => {
  const { id } = (image ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' ? id : undefined;
};
