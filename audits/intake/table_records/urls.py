"""Page routes of records of tables."""

from django.urls import path

from audits.intake.table_records import pages

urlpatterns = [
    path("records/<uuid:uuid>/", pages.OneRecord.as_view(), name="table_record"),
    path("<slug:code>/", pages.TableRecords.as_view(), name="table_records"),
    path("<slug:code>/closed/", pages.CloseTable.as_view(), name="close_table"),
    path("<slug:code>/cash/", pages.RecordCash.as_view(), name="record_cash"),
    path("<slug:code>/fund/", pages.RecordFund.as_view(), name="record_fund"),
]
