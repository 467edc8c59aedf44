"""The bytes that keys, references and fingerprints are digests of, from docs/keys.md alone: no Stellar library."""

import base64
import hashlib
import struct


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


# Addresses: version byte, payload, CRC-16/XMODEM little-endian, all in base32 without padding.


def strkey(version: int, payload: bytes) -> str:
    data = bytes([version << 3]) + payload
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
            crc &= 0xFFFF
    return base64.b32encode(data + struct.pack("<H", crc)).decode().rstrip("=")


def version_of(letter: str) -> int:
    return ord(letter) - ord("A")


def account(key: bytes) -> str:
    return strkey(version_of("G"), key)


def contract(identity: bytes) -> str:
    return strkey(version_of("C"), identity)


def payload(address: str) -> bytes:
    return base64.b32decode(address)[1:33]


# Derived keys and references: every part as its length in 4 bytes, big-endian, and its bytes.


def message(*parts: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


# Fingerprints: XDR of an ScVal, written out.


def xdr_vector(elements: list) -> bytes:
    return struct.pack(">III", 16, 1, len(elements)) + b"".join(elements)


def xdr_symbol(text: bytes) -> bytes:
    return struct.pack(">II", 15, len(text)) + text + b"\0" * (-len(text) % 4)


def xdr_address(address: str) -> bytes:
    kind = {"G": struct.pack(">II", 0, 0), "C": struct.pack(">I", 1)}[address[0]]
    return struct.pack(">I", 18) + kind + payload(address)


def xdr_i128(amount: int) -> bytes:
    return struct.pack(">I", 10) + amount.to_bytes(16, "big", signed=True)


def xdr_bytes(data: bytes) -> bytes:
    return struct.pack(">II", 13, len(data)) + data + b"\0" * (-len(data) % 4)
