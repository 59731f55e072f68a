package probes

import "regexp"

// referenceName matches the names of parameters whose value only an earlier
// answer can yield.
var referenceName = regexp.MustCompile(`^(id|uuid|key|slug|handle|cursor|after|before|page_token)$|[_-](id|ids|key|ref|token|cursor|uuid)$|[a-z0-9](Id|ID|Ids|IDs|Key|Ref|Token|Cursor|Uuid|UUID)$|^(Id|ID|Uuid|UUID|Key|Slug|Handle|[A-Z0-9_]*_(ID|IDS|KEY|REF|UUID))$`)

// IsReference reports whether the parameter identifies something that must
// already exist, so that no value can be made up for it.
func IsReference(op Operation, p Parameter) bool {
	if p.Identifies || p.Name == "name" && op.Category != "CREATE" {
		return true
	}
	return referenceName.MatchString(p.Name) || p.Raw.At("format").Text() == "uuid"
}

// EnumOf returns the values the parameter's own enum or its enum type allows.
func (a *Adapter) EnumOf(p Parameter) []Value {
	if inline := p.Raw.At("enum"); inline.Is(Array) {
		return inline.Items()
	}
	if t, ok := a.Type(p.Type); ok && t.Kind == "enum" {
		return t.Details.At("values").Items()
	}
	return nil
}
