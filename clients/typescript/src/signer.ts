import type { Keypair } from "@stellar/stellar-sdk";
import { TransactionBuilder } from "@stellar/stellar-sdk";

import { SigningError } from "./errors.js";

/**
 * Signs transactions for one account: the payout key or a delegate, which also pays the fees. It
 * hands out signatures only, so no secret passes through this library's errors or events.
 */
export interface Signer {
  /** The account (G…). */
  readonly address: string;
  /** Signs a base64 envelope, a fee bump too, and returns it with the signature. */
  sign(envelope: string, networkPassphrase: string): Promise<string>;
}

/** A signer that holds a key pair. */
export function keypairSigner(keypair: Keypair): Signer {
  return {
    address: keypair.publicKey(),
    async sign(envelope, networkPassphrase) {
      const transaction = TransactionBuilder.fromXDR(envelope, networkPassphrase);
      transaction.sign(keypair);
      return transaction.toXDR();
    },
  };
}

/** What wallets offer: SEP-43's `signTransaction`, as Freighter and Stellar Wallets Kit have it. */
export type WalletSignTransaction = (
  envelope: string,
  options: { networkPassphrase: string; address: string },
) => Promise<{ signedTxXdr: string; error?: { message: string } }>;

/** A signer that asks a wallet. */
export function walletSigner(address: string, signTransaction: WalletSignTransaction): Signer {
  return {
    address,
    async sign(envelope, networkPassphrase) {
      const answer = await signTransaction(envelope, { networkPassphrase, address });
      if (answer.error !== undefined) throw new Error(answer.error.message);
      return answer.signedTxXdr;
    },
  };
}

/** Has an envelope signed, and makes sure that it is still the same transaction. */
export async function signed(
  signer: Signer,
  envelope: { xdr: string; hash: string },
  networkPassphrase: string,
): Promise<string> {
  let xdr: string;
  try {
    xdr = await signer.sign(envelope.xdr, networkPassphrase);
  } catch {
    // Its message is not repeated: nobody knows what a signer writes into it.
    throw new SigningError(
      "signer_refused",
      `the signer of ${signer.address} did not sign ${envelope.hash}`,
      "Nothing was sent. retry(key) asks again, or says what became of the key",
    );
  }
  if (!isSigned(xdr, envelope.hash, networkPassphrase)) {
    throw new SigningError(
      "signer_changed_transaction",
      `the signer of ${signer.address} gave back another transaction than ${envelope.hash}, or none with a signature`,
      "Use a signer that signs what it is given. retry(key) goes on",
    );
  }
  return xdr;
}

function isSigned(xdr: string, hash: string, networkPassphrase: string): boolean {
  try {
    const transaction = TransactionBuilder.fromXDR(xdr, networkPassphrase);
    return transaction.hash().toString("hex") === hash && transaction.signatures.length > 0;
  } catch {
    return false;
  }
}
