/** Soda's named formats as regular expressions that PostgreSQL and MySQL read alike. */

const date = {
  day: "(0?[1-9]|[12][0-9]|3[01])",
  month: "(0?[1-9]|1[0-2])",
  year: "[0-9]{2,4}",
  between: "[-./]",
};
const digits = "[0-9]+";
const point = `(${digits}[.]?[0-9]*|[.]${digits})`;
const comma = `(${digits}[,]?[0-9]*|[,]${digits})`;
const either = `(${digits}[.,]?[0-9]*|[.,]${digits})`;
const number = (body: string, sign = "[-+]?") => `^ *${sign} ?${body} *$`;
const percent = (body: string, sign = "[-+]?") => `^ *${sign} ?${body} *% *$`;
const money = (body: string) => `^ *[-+]? ?[$€£¥]? ?${body} ?([A-Z]{3}|[$€£¥])? *$`;
const hour = { h24: "([01]?[0-9]|2[0-3])", h12: "(0?[1-9]|1[0-2])" };
const minute = "[0-5][0-9]";
const byte = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = `^${byte}([.]${byte}){3}$`;
const hex = "[0-9A-Fa-f]";

const signed = (name: string, of: (body: string, sign?: string) => string, body: string) => ({
  [name]: of(body),
  [`positive ${name}`]: of(body, "[+]?"),
  [`negative ${name}`]: of(body, "-"),
});

const formats: Readonly<Record<string, string>> = {
  ...signed("integer", number, digits),
  ...signed("decimal", number, either),
  ...signed("decimal point", number, point),
  ...signed("decimal comma", number, comma),
  ...signed("percentage", percent, either),
  ...signed("percentage point", percent, point),
  ...signed("percentage comma", percent, comma),
  money: money("[0-9]{1,3}([.,]?[0-9]{3})*([.,][0-9]{1,2})?"),
  "money point": money("[0-9]{1,3}(,?[0-9]{3})*([.][0-9]{1,2})?"),
  "money comma": money("[0-9]{1,3}([.]?[0-9]{3})*(,[0-9]{1,2})?"),
  "date us": `^${date.month}${date.between}${date.day}${date.between}${date.year}$`,
  "date eu": `^${date.day}${date.between}${date.month}${date.between}${date.year}$`,
  "date inverse": `^${date.year}${date.between}${date.month}${date.between}${date.day}$`,
  "date iso 8601": `^[0-9]{4}-?(0[1-9]|1[0-2])-?(0[1-9]|[12][0-9]|3[01])([T ]${hour.h24}(:?${minute}(:?${minute}([.,][0-9]+)?)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$`,
  "time 24h": `^${hour.h24}:${minute}:${minute}$`,
  "time 24h nosec": `^${hour.h24}:${minute}$`,
  "time 12h": `^${hour.h12}:${minute}:${minute} ?([AaPp][Mm])?$`,
  "time 12h nosec": `^${hour.h12}:${minute} ?([AaPp][Mm])?$`,
  "timestamp 24h": `^${hour.h24}:${minute}:${minute}$`,
  "timestamp 12h": `^${hour.h12}:${minute}:${minute}$`,
  uuid: `^${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}$`,
  "ip address": ipv4,
  "ipv4 address": ipv4,
  "ipv6 address": `^(${hex}{1,4}:){7}${hex}{1,4}$`,
  email: "^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)*[.][A-Za-z]{2,}$",
  "phone number": "^[+]?[0-9]{0,3}[-. ]?[(]?[0-9]{1,4}[)]?([-. ]?[0-9]{2,4}){1,4}$",
  "credit card number": "^([0-9]{4}[- ]?){3}[0-9]{4}$|^([0-9]{5} ){3}[0-9]{5}$",
};

/** null for a format that is unknown. */
export const formatNamed = (name: string): string | null => {
  const known = name.trim().toLowerCase().replaceAll("_", " ");
  return Object.hasOwn(formats, known) ? (formats[known] ?? null) : null;
};
