"""Suppliers' records."""

from django.urls import path

from compliance.filings.suppliers import pages

urlpatterns = [
    path("", pages.SupplierRecords.as_view(), name="supplier_records"),
    path("interests/new/", pages.ReportInterest.as_view(), name="report_interest"),
    path("equipment/new/", pages.FileEquipment.as_view(), name="file_equipment"),
    path("equipment/<uuid:uuid>/", pages.EquipmentPage.as_view(), name="equipment"),
    path(
        "equipment/<uuid:uuid>/deliveries/",
        pages.RecordDelivery.as_view(),
        name="record_delivery",
    ),
]
