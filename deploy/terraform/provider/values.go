package provider

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sort"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Values of the API as values of Terraform, and back. What is null or not known yet is not sent.

func text(value types.String) *string {
	if value.IsUnknown() {
		return nil
	}
	return value.ValueStringPointer()
}

func integer(value types.Int64) *int64 {
	if value.IsUnknown() {
		return nil
	}
	return value.ValueInt64Pointer()
}

func decimal(value types.Float64) *float64 {
	if value.IsUnknown() {
		return nil
	}
	return value.ValueFloat64Pointer()
}

func flag(value types.Bool) *bool {
	if value.IsUnknown() {
		return nil
	}
	return value.ValueBoolPointer()
}

// texts is nil for a set or list that is null.
func texts(elements []attr.Value, isNull bool) *[]string {
	if isNull {
		return nil
	}
	all := []string{}
	for _, element := range elements {
		all = append(all, element.(types.String).ValueString())
	}
	return &all
}

func textsOf(set types.Set) *[]string { return texts(set.Elements(), set.IsNull() || set.IsUnknown()) }

// integers is nil for a set that is null.
func integers(set types.Set) *[]int64 {
	if set.IsNull() || set.IsUnknown() {
		return nil
	}
	all := []int64{}
	for _, element := range set.Elements() {
		all = append(all, element.(types.Int64).ValueInt64())
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	return &all
}

// textMap is nil for a map that is null.
func textMap(values types.Map) *map[string]string {
	if values.IsNull() || values.IsUnknown() {
		return nil
	}
	all := map[string]string{}
	for name, value := range values.Elements() {
		all[name] = value.(types.String).ValueString()
	}
	return &all
}

func textElements(all []string) []attr.Value {
	elements := []attr.Value{}
	for _, each := range all {
		elements = append(elements, types.StringValue(each))
	}
	return elements
}

func textSet(all []string) types.Set {
	return types.SetValueMust(types.StringType, textElements(all))
}

func textSetOrNull(all *[]string) types.Set {
	if all == nil {
		return types.SetNull(types.StringType)
	}
	return textSet(*all)
}

func integerSet(all []int64) types.Set {
	elements := []attr.Value{}
	for _, each := range all {
		elements = append(elements, types.Int64Value(each))
	}
	return types.SetValueMust(types.Int64Type, elements)
}

// idsOf are the ids of things that an answer names.
func idsOf[Thing any](things []Thing, id func(Thing) int64) types.Set {
	all := []int64{}
	for _, each := range things {
		all = append(all, id(each))
	}
	return integerSet(all)
}

// Something left out and something empty mean the same to the service: what is there stays as it was written.

func textListOr(before types.List, all *[]string) types.List {
	if all == nil || len(*all) == 0 {
		if before.IsUnknown() || len(before.Elements()) > 0 {
			return types.ListNull(types.StringType)
		}
		return before
	}
	return types.ListValueMust(types.StringType, textElements(*all))
}

func textMapOr(before types.Map, all *map[string]string) types.Map {
	if all == nil || len(*all) == 0 {
		if before.IsUnknown() || len(before.Elements()) > 0 {
			return types.MapNull(types.StringType)
		}
		return before
	}
	elements := map[string]attr.Value{}
	for name, value := range *all {
		elements[name] = types.StringValue(value)
	}
	return types.MapValueMust(types.StringType, elements)
}

func textOr(before types.String, now *string) types.String {
	if now == nil || *now == "" {
		if before.ValueString() == "" && !before.IsUnknown() {
			return before
		}
		return types.StringNull()
	}
	return types.StringValue(*now)
}

// What is left out has the service's default: it is shown only if it was written, or if it is something else.

func textOrDefault(before types.String, now *string, byDefault string) types.String {
	if before.IsNull() && now != nil && *now == byDefault {
		return before
	}
	return types.StringPointerValue(now)
}

func integerOrDefault(before types.Int64, now *int64, byDefault int64) types.Int64 {
	if before.IsNull() && now != nil && *now == byDefault {
		return before
	}
	return types.Int64PointerValue(now)
}

func flagOr(before types.Bool, now *bool) types.Bool {
	if now == nil || !*now {
		if !before.ValueBool() && !before.IsUnknown() {
			return before
		}
		return types.BoolNull()
	}
	return types.BoolValue(true)
}

// momentOr keeps how a time was written.
func momentOr(before types.String, now *string) types.String {
	if now == nil {
		return types.StringNull()
	}
	written, err := time.Parse(time.RFC3339, before.ValueString())
	answered, problem := time.Parse(time.RFC3339, *now)
	if err == nil && problem == nil && written.Equal(answered) {
		return before
	}
	return types.StringValue(*now)
}

// jsonOr keeps how JSON was written, if it says the same. Without anything in it, it may be left out.
func jsonOr(before types.String, now json.RawMessage) types.String {
	if len(now) == 0 {
		return types.StringNull()
	}
	if before.IsNull() && isSameJSON("{}", string(now)) {
		return before
	}
	if !before.IsNull() && !before.IsUnknown() && isSameJSON(before.ValueString(), string(now)) {
		return before
	}
	var compact bytes.Buffer
	if json.Compact(&compact, now) != nil {
		return types.StringValue(string(now))
	}
	return types.StringValue(compact.String())
}

func rawJSON(value types.String) *json.RawMessage {
	if value.IsNull() || value.IsUnknown() {
		return nil
	}
	raw := json.RawMessage(value.ValueString())
	return &raw
}

// isSameJSON is whether two texts say the same to the service: it keeps bounds as text, to keep every digit, leaves out what
// is null, and compares rows unless it is told otherwise.
func isSameJSON(a, b string) bool {
	first, isFirst := normalJSON(a)
	second, isSecond := normalJSON(b)
	return isFirst && isSecond && reflect.DeepEqual(first, second)
}

func normalJSON(written string) (any, bool) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(written)))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	return normal(value), true
}

func normal(value any) any {
	switch of := value.(type) {
	case json.Number:
		return of.String()
	case []any:
		all := make([]any, len(of))
		for index, each := range of {
			all[index] = normal(each)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name, each := range of {
			if each != nil && !(name == "by" && each == "Rows") {
				all[name] = normal(each)
			}
		}
		return all
	}
	return value
}
