package seal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
)

func PrivateKey(path string) (ed25519.PrivateKey, error) {
	der, err := pemBlock(path, "PRIVATE KEY")
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("want a PKCS #8 key, as written by openssl genpkey -algorithm ed25519: %w", err)
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("want an ed25519 key, got %T", key)
	}
	return private, nil
}

func PublicKey(path string) (ed25519.PublicKey, error) {
	der, err := pemBlock(path, "PUBLIC KEY")
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("want a public key, as written by openssl pkey -pubout: %w", err)
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("want an ed25519 key, got %T", key)
	}
	return public, nil
}

// makers say how one comes to a key.
var makers = map[string]string{
	"PRIVATE KEY": "openssl genpkey -algorithm ed25519 -out FILE creates one",
	"PUBLIC KEY":  "openssl pkey -in KEY -pubout -out FILE derives one from a private key",
}

func pemBlock(path, kind string) ([]byte, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, makers[kind])
	}
	block, _ := pem.Decode(raw)
	if block == nil || block.Type != kind {
		return nil, errors.New("want a PEM block " + kind + "; " + makers[kind])
	}
	return block.Bytes, nil
}

func KeyID(key ed25519.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "", fmt.Errorf("the public key: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(der)), nil
}
