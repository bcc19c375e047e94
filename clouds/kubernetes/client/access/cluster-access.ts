/** How an API server is reached, and how the service proves to it who it is. */

/** A certificate of the client's own, with its key, both PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface Credential {
  readonly token?: string;
  readonly certificate?: ClientCertificate;
}

export interface ClusterCredentials {
  /** The present credential, which is renewed in time where it ends. */
  current(): Promise<Credential>;
  /** Makes the next call of `current` ask anew: the API server refused this credential. */
  forget(): void;
}

export interface ClusterAccess {
  /** The address of the API server, without a trailing slash. */
  readonly server: string;
  /** The certificates (PEM) to trust. Left out: those that Node.js trusts. */
  readonly ca?: string;
  /** The name that the server's certificate is for, where it is not that of the address. */
  readonly serverName?: string;
  /** False: any certificate of the server is taken. Only a kubeconfig that says so leads to it. */
  readonly isVerified: boolean;
  /** The proxy that leads to the server, whatever the settings say. Left out: as the settings say. */
  readonly proxy?: string;
  readonly credentials: ClusterCredentials;
  /** The files on which it rests, but for the token's: where their texts change, it is made anew. */
  readonly files: readonly string[];
}

/** A kubeconfig, a token's file or a credential plug-in is not as it must be. The message says what would help. */
export class AccessFault extends Error {
  override readonly name = 'AccessFault';
}
