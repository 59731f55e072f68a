package gate

import (
	"testing"
)

// A row says that its object was removed, but not where the creation asked for what it says.
func TestBurials(t *testing.T) {
	for row, want := range map[string][2]bool{ // without the creation, and with it
		`{"id":1,"status":"archived"}`:                         {true, false},
		`{"id":1,"Status":"archived"}`:                         {true, false},
		`{"id":1,"status":"deleted"}`:                          {true, true},
		`{"id":1,"status":"archived","deleted":true}`:          {true, true},
		`{"id":1,"status":"archived","deleted":false}`:         {true, false},
		`{"id":1,"status":"draft","removed_at":"2026-01-01"}`:  {true, true},
		`{"id":1,"status":"draft"}`:                            {false, false},
		`{"id":1,"title":"what was deleted in a winter long"}`: {false, false},
	} {
		v, asked := value(row), value(`{"status":"archived","title":"x"}`)
		if got := [2]bool{buried(v), buried(v, asked)}; got != want {
			t.Errorf("%s: %v, want %v", row, got, want)
		}
	}
}

// Nothing is made in a state in which its removal, as it is described, takes no object.
func TestStatesThatNothingRemoves(t *testing.T) {
	list := operation("list_loans", "READ", "state:string")
	list.Parameters[0].Raw = value(`{"enum":["reserved","returned","lost"]}`)
	sort := operation("list_loans", "READ", "sort:string")
	sort.Parameters[0].Raw = value(`{"enum":["loan_id","title"]}`)
	r := rulesOf(everything, operation("create_loan", "CREATE", "title*:string"), sort)
	made := described(operation("create_loan", "CREATE", "title*:string"), `{"description":"Create a loan with a title"}`)
	if got := r.outOfState(made, described(operation("delete_loan", "DELETE", "loan_id*:string"), `{"description":"Delete a loan by its loan_id"}`)); got != "" {
		t.Errorf("the field %s is a state", got)
	}
	for _, c := range []struct{ made, removal, state string }{
		{"Reserve a copy; it begins as reserved.", "Delete a closed loan (returned or lost). Refused in other states.", "reserved"},
		{"Create a loan; it begins as reserved.", "Delete a loan that is reserved or lost.", ""},
		{"Create a loan; it begins as reserved.", "Delete a loan that is not lost.", ""},
		{"Create a loan; it begins as reserved.", "Delete a loan. Refused while it is lost.", ""},
		{"Create a loan that can be reserved, returned and lost.", "Delete a lost loan.", ""},
		{"Create a loan.", "Delete a lost loan.", ""},
		{"Create a loan; it begins as reserved.", "Delete a loan with its lost copies.", ""},
		{"Create a loan; it begins as reserved.", "Lost or otherwise, the loan is deleted.", ""},
	} {
		made := described(operation("create_loan", "CREATE", "title*:string"), `{"description":"`+c.made+`"}`)
		removal := described(operation("delete_loan", "DELETE", "loan_id*:string"), `{"description":"`+c.removal+`"}`)
		r := rulesOf(everything, made, removal, list, operation("get_loan", "READ", "loan_id*:string"))
		if got := r.outOfState(made, removal); got != c.state {
			t.Errorf("%v: %q", c, got)
		}
		if c.state != "" && r.usable(made) {
			t.Errorf("%v is called", c)
		}
	}
}
