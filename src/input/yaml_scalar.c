// yaml_scalar.c: scalars of a YAML tree as numbers and truth values. The locale's decimal separator has no
// effect.
#include <ctype.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/yaml.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits of [0-9]; returns how many.
static int skip_digits(const char** p) {
  int n = 0;
  for (; is_digit(**p); (*p)++) n++;
  return n;
}

// [+-] digits [. digits] [e [+-] digits], with digits before or after the point
static bool is_decimal(const char* p) {
  if (*p == '+' || *p == '-') p++;
  int digits = skip_digits(&p);
  if (*p == '.') p++, digits += skip_digits(&p);
  if (!digits) return false;
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!skip_digits(&p)) return false;
  }
  return !*p;
}

static bool is_infinite(const char* p, double* value) {
  *value = *p == '-' ? -INFINITY : INFINITY;
  if (*p == '+' || *p == '-') p++;
  return !strcmp(p, ".inf") || !strcmp(p, ".Inf") || !strcmp(p, "inf") || !strcmp(p, "infinite");
}

bool pl_yaml_number(const plYaml* node, double* value) {
  if (node->kind != PL_YAML_SCALAR || node->quoted) return false;
  if (is_infinite(node->text, value)) return true;
  if (!is_decimal(node->text)) return false;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain) return false;
  *value = strtod_l(node->text, NULL, plain);
  freelocale(plain);
  return isfinite(*value);
}

bool pl_yaml_int(const plYaml* node, int* value) {
  if (node->kind != PL_YAML_SCALAR || node->quoted) return false;
  const char* p = node->text;
  if (*p == '+' || *p == '-') p++;
  if (!skip_digits(&p) || *p) return false;
  long long number = strtoll(node->text, NULL, 10);
  if (number < INT_MIN || number > INT_MAX) return false;
  *value = (int)number;
  return true;
}

bool pl_yaml_bool(const plYaml* node, bool* value) {
  if (node->kind != PL_YAML_SCALAR || node->quoted) return false;
  *value = !strcmp(node->text, "true") || !strcmp(node->text, "on");
  return *value || !strcmp(node->text, "false") || !strcmp(node->text, "off");
}

bool pl_yaml_is_null(const plYaml* node) {
  if (node->kind != PL_YAML_SCALAR || node->quoted) return false;
  return !*node->text || !strcmp(node->text, "~") || !strcmp(node->text, "null");
}
