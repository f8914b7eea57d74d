import type { InputHTMLAttributes } from 'preact';

interface FieldProps {
  name: string;
  label: string;
  /** Shown below the field. */
  hint?: string;
  /** Shown if the server rejects the value. */
  expected?: string;
}

interface InputFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'url' | 'password' | 'file';
  inputMode?: 'email';
  autocomplete?: string;
  placeholder?: string;
  defaultValue?: string;
  minLength?: number;
  maxLength?: number;
  required?: boolean;
  /** The file types that a file field accepts. */
  accept?: string;
  multiple?: boolean;
}

export function InputField({ label, hint, expected, ...attributes }: InputFieldProps) {
  const input = { autocomplete: 'off', ...attributes, 'data-expected': expected } as InputHTMLAttributes;
  return (
    <label class="field">
      {label} <input {...input} />
      {hint && <small>{hint}</small>}
    </label>
  );
}

export const maxNameChars = 200;

/** A name that must not be empty. */
export const NameField = (props: Pick<FieldProps, 'label'> & { defaultValue?: string }) => (
  <InputField name="name" maxLength={maxNameChars} required expected="Enter a name." {...props} />
);

/** The name of a person, which may be empty. */
export const PersonNameField = (props: { defaultValue?: string; placeholder?: string }) => (
  <InputField name="name" label="Your name" autocomplete="name" maxLength={maxNameChars} {...props} />
);

/** The e-mail address of a new account. */
export const NewEmailField = ({ autocomplete }: { autocomplete: 'username' | 'off' }) => (
  <InputField
    name="email"
    label="E-mail"
    type="email"
    autocomplete={autocomplete}
    maxLength={254}
    required
    expected="Enter an e-mail address such as ada@example.com."
  />
);

export const NewPasswordField = ({ label, hint = '' }: { label: string; hint?: string }) => (
  <InputField
    name="password"
    label={label}
    type="password"
    autocomplete="new-password"
    minLength={10}
    required
    expected="Enter a password with 10 to 1,024 characters."
    hint={`At least 10 characters. ${hint}`}
  />
);

export function Checkbox({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  return (
    <label class="switch">
      <input type="checkbox" name={name} defaultChecked={checked} /> {label}
    </label>
  );
}

export type Option<Value extends string> = readonly [value: Value, title: string];

interface SelectFieldProps extends FieldProps {
  value: string;
  options: readonly Option<string>[];
}

/** A choice inside of a form. Resetting the form restores its value. */
export function SelectField({ name, label, value, options }: SelectFieldProps) {
  return (
    <label class="field">
      {label}{' '}
      <select name={name}>
        {/* The types of Preact lack `defaultSelected`. */}
        {options.map(([option, title]) => (
          <option key={option} value={option} {...{ defaultSelected: option === value }}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChoose(value: Value): unknown;
}

/** A choice that takes effect immediately. Only screen readers read its label. */
export function Select<Value extends string>({ label, value, options, onChoose }: SelectProps<Value>) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
      {options.map(([option, title]) => (
        <option key={option} value={option} selected={option === value}>
          {title}
        </option>
      ))}
    </select>
  );
}
