/** A right in the cloud that the service lacks: a session waits for it, and a plan names it. */

export interface MissingRightWords {
  /** The cloud's name of the right. */
  readonly rule: string;
  readonly neededTo: string;
}

export const rightIsMissing = ({ rule, neededTo }: MissingRightWords): string =>
  `the login of the service in the cloud lacks the right ${rule}, which is needed to ${neededTo}`;

export const helpForRight =
  "allow it to the role of the service's user (docs/openstack.md has the lines); a change is noticed in 5 minutes";
