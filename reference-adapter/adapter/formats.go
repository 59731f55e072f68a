package adapter

import (
	"encoding/base64"
	"fmt"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

func (a *Adapter) checkText(operation, name string, p Parameter, value string) Envelope {
	allowed := p.Enum
	if named, ok := a.TypeNamed(p.Type); ok && named.Kind == "enum" {
		allowed = named.Values
	}
	if len(allowed) > 0 && !slices.Contains(allowed, value) {
		return Misvalued(operation, name, allowed)
	}
	length := utf8.RuneCountInString(value)
	if p.MinLength != nil && length < *p.MinLength {
		return Misvalued(operation, name, fmt.Sprintf("text of at least %d characters", *p.MinLength))
	}
	if p.MaxLength != nil && length > *p.MaxLength {
		return Misvalued(operation, name, fmt.Sprintf("text of at most %d characters", *p.MaxLength))
	}
	if p.Pattern != "" && !regexp.MustCompile(p.Pattern).MatchString(value) {
		return Misvalued(operation, name, "text that matches the pattern "+p.Pattern)
	}
	if allowed := unformatted(p.Format, value); allowed != "" {
		return Misvalued(operation, name, allowed)
	}
	return nil
}

// unformatted says what a format allows if value does not have it, else "".
func unformatted(format, value string) string {
	var err error
	switch format {
	case "date-time":
		if _, err = time.Parse(time.RFC3339, value); err != nil {
			return "an ISO 8601 date-time such as 2026-02-04T10:30:00Z"
		}
	case "date":
		if _, err = time.Parse(time.DateOnly, value); err != nil {
			return "an ISO 8601 date such as 2026-02-04"
		}
	case "email":
		if address, err := mail.ParseAddress(value); err != nil || address.Address != value {
			return "an e-mail address such as alice@example.com"
		}
	case "byte":
		if _, err = base64.StdEncoding.Strict().DecodeString(value); err != nil || strings.ContainsAny(value, "\r\n") {
			return "base64 of RFC 4648 with the standard alphabet and padding"
		}
	}
	return ""
}
