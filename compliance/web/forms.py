from django.forms.renderers import TemplatesSetting


class FormRenderer(TemplatesSetting):
    """Every form of the system: the list of errors first, then label, hint and error by field."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
