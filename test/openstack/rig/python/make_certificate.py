"""Writes a certificate that vouches for itself, for 127.0.0.1, and its key: make_certificate.py CERTIFICATE KEY"""
import datetime
import ipaddress
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

certificate_file, key_file = sys.argv[1:]
key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, 'an authority of the tests')])
now = datetime.datetime.now(datetime.timezone.utc)
certificate = (
    x509.CertificateBuilder()
    .subject_name(name)
    .issuer_name(name)
    .public_key(key.public_key())
    .serial_number(x509.random_serial_number())
    .not_valid_before(now - datetime.timedelta(days=1))
    .not_valid_after(now + datetime.timedelta(days=1))
    .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address('127.0.0.1'))]), critical=False)
    .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    .sign(key, hashes.SHA256())
)
with open(certificate_file, 'wb') as file:
    file.write(certificate.public_bytes(serialization.Encoding.PEM))
with open(key_file, 'wb') as file:
    file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                 serialization.NoEncryption()))
